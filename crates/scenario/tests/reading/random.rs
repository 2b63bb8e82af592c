//! Random valid scenarios.

use congestree_kernel::Rng;

/// A valid scenario file, drawn from `seed`.
pub(crate) fn random_scenario(seed: u64) -> String {
    let mut draw = Draw(Rng::stream(seed, "scenario", 0));
    let (topology, hosts) = draw.topology();
    let slots = draw.coin();
    let lanes = draw.between(1, 15);
    let single = draw.coin();
    let reacts = draw.coin();
    let window = draw.coin();
    let mut text = format!("name = \"drawn from {seed}\"\nseed = {seed}\n");
    if draw.coin() {
        text += "routing = \"shortest-path\"\n";
    }
    // Shortest paths may form cycles if the network is not a tree.
    text += &format!("allow_credit_loops = true\n\n{topology}\n");
    text += &draw.links(lanes, slots);
    text += &draw.switches(slots, single);
    text += &draw.adapters(slots, window);
    if reacts {
        text += &draw.scheme();
    }
    for number in 0..draw.between(1, 4) {
        text += &draw.traffic(number, &hosts, lanes, window || reacts);
    }
    text + &draw.measure()
}

struct Draw(Rng);

impl Draw {
    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.0.below(high - low + 1)
    }

    fn coin(&mut self) -> bool {
        self.0.below(2) == 0
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.0.below(words.len() as u64) as usize]
    }

    fn span(&mut self) -> String {
        let unit = self.one_of(&["ps", "ns", "us", "µs"]);
        format!("\"{} {unit}\"", self.between(1, 999))
    }

    fn rate(&mut self) -> String {
        let unit = self.one_of(&[" Gbit/s", "Gbps", ".5 GB/s", "00 Mbit/s"]);
        format!("\"{}{unit}\"", self.between(1, 400))
    }

    /// A topology and the names of some of its hosts.
    fn topology(&mut self) -> (String, Vec<String>) {
        let some = self.between(2, 6);
        let (text, hosts): (String, Vec<&str>) = match self.between(0, 6) {
            0 => (format!("topology.two-switch = {{ local = {some}, remote = 3 }}"), vec!["B_1", "A_V", "B_C", "B_V"]),
            1 => (format!("topology.single-switch.hosts = {some}"), vec!["H1", "H2"]),
            2 => ("topology = \"test-bed\"".into(), vec!["H1", "H4", "H7"]),
            3 => ("[topology.k-ary-n-tree]\nk = 2\nn = 3".into(), vec!["h0", "h3", "h7"]),
            4 => (format!("[topology.fat-tree]\nradix = {}", 2 * some), vec!["h0", "h1"]),
            5 => (format!("[topology.chain]\nswitches = {some}\nhosts_per_switch = 2"), vec!["S1_1", "S1_2", "S2_1"]),
            _ => {
                let links = "links = [{ a = \"x\", b = \"s\" }, { a = \"y\", b = \"s\", rate = \"1 Gbit/s\" }]";
                let graph = format!("[topology.graph]\nhosts = [\"x\", \"y\"]\nswitches = [\"s\"]\n{links}");
                (graph, vec!["x", "y"])
            }
        };
        (text, hosts.into_iter().map(str::to_owned).collect())
    }

    fn links(&mut self, lanes: u64, slots: bool) -> String {
        let (rate, delay, credit) = (self.rate(), self.span(), self.span());
        let flow_control = match (slots, self.coin()) {
            (true, _) => format!("packet-slots = {{ credit_delay = {credit}, control = \"own-room\" }}"),
            (false, true) => format!("byte-credits = {{ block = \"64 B\", credit_delay = {credit} }}"),
            (false, false) => "byte-credits = {}".into(),
        };
        format!("[links]\nrate = {rate}\ndelay = {delay}\nlanes = {lanes}\nflow_control.{flow_control}\n\n")
    }

    fn room(&mut self, slots: bool) -> String {
        let count = self.between(5, 64);
        if slots { format!("\"{count} packets\"") } else { format!("\"{count} KiB\"") }
    }

    fn switches(&mut self, slots: bool, single: bool) -> String {
        let buffer = self.room(slots);
        let (queues, reads) = match single {
            true => ("single", "\"one\""),
            false => ("voq", self.one_of(&["\"one\"", "\"all\"", "3"])),
        };
        let queues = format!("queues = \"{queues}\"\nread_ports = {reads}");
        // Where inputs are never busy nothing is bypassed.
        let fifo = if reads == "\"all\"" { "{ fifo = {} }" } else { "{ fifo = { bypass_limit = 4 } }" };
        let arbiter = self.one_of(&["\"round-robin\"", "\"fifo\"", fifo, "{ round-robin = {} }"]);
        let switching = self.one_of(&["cut-through", "store-and-forward"]);
        let delay = self.span();
        format!(
            "[switches]\nbuffer = {buffer}\n{queues}\narbiter = {arbiter}\nswitching = \"{switching}\"\nforwarding_delay = {delay}\n\n"
        )
    }

    fn adapters(&mut self, slots: bool, window: bool) -> String {
        let mut text = format!("[adapters]\nmtu = \"{} B\"\n", self.between(64, 4096));
        if window {
            text += &format!("window = {}\n", self.between(1, 8));
        }
        if self.coin() {
            text += &format!("receive_buffer = {}\ndrain_rate = {}\n", self.room(slots), self.rate());
        }
        if self.coin() {
            text += &format!("injection_rate = {}\nheader = \"26 B\"\nack = \"30 B\"\n", self.rate());
        }
        text + "\n"
    }

    fn scheme(&mut self) -> String {
        let preset = self.one_of(&["naive", "input-triggered", "input-output-triggered", "output-triggered"]);
        let react = self.one_of(&["lipd = { floor = 64.0 }", "fimd = { factor = 2 }", "aimd = {}"]);
        let persistent = self.coin();
        format!("[scheme]\npreset = \"{preset}\"\npersistent = {persistent}\nreact.{react}\n\n")
    }

    fn traffic(&mut self, number: u64, hosts: &[String], lanes: u64, acknowledged: bool) -> String {
        let lane = self.between(0, lanes - 1);
        let (stop, stagger, jitter) = (self.one_of(&["", "stop = \"1 s\"\n"]), self.span(), self.span());
        let mut text = format!("[[traffic]]\nname = \"class {number}\"\nlane = {lane}\n{stop}jitter = {jitter}\n");
        let fixed = self.coin();
        if fixed {
            let first = self.0.below(hosts.len() as u64) as usize;
            text += &format!("from = \"{}\"\nto = \"{}\"\n", hosts[first], hosts[(first + 1) % hosts.len()]);
        } else {
            let patterns = [
                "\"uniform\"",
                "{ shift = { by = 1 } }",
                "\"permutation\"",
                "{ hot-spot = { to = \"X\", fraction = 0.2 } }",
            ];
            text += &format!(
                "from = \"all\"\nstagger = {stagger}\npattern = {}\n",
                self.one_of(&patterns).replace('X', &hosts[0])
            );
        }
        let load = self.0.unit() + 0.01;
        let arrivals = [
            &format!("{{ poisson = {{ load = {load} }} }}"),
            "{ messages = { count = 3, every = \"1 us\" } }",
            "\"messages\"",
            "\"greedy\"",
            "{ on-off = { on = \"1 ms\", off = \"1 ms\" } }",
        ];
        // A source that draws destinations for acknowledged packets cannot be greedy.
        let choices = if fixed || !acknowledged { 5 } else { 3 };
        text += &format!("arrivals = {}\n", self.one_of(&arrivals[..choices]));
        if self.coin() {
            text += &format!("message = \"{} B\"\nrate = {}\n", self.between(1, 100_000), self.rate());
        }
        text + "\n"
    }

    fn measure(&mut self) -> String {
        let probes = self.one_of(&["[]", "[\"flows\", \"ports\"]", "[\"queues\", \"events\", \"latency\"]"]);
        let warm_up = self.one_of(&["0 ns", "1.5 ms"]);
        let bin = self.one_of(&["", "bin = \"10 us\"\n"]);
        format!(
            "[measure]\nduration = \"2 ms\"\nwarm_up = \"{warm_up}\"\n{bin}probes = {probes}\naudit = {}\n",
            self.coin()
        )
    }
}

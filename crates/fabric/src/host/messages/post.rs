//! Posting at work: a message waits for its place and its cost.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;

use crate::fabric::Fabric;
use crate::host::flow::Supply;
use crate::host::messages::posting::Post;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// When the first packet of a flow's message may start: what it costs has passed, and it has a place.
    #[inline]
    pub(crate) fn posted_at(&self, flow: u32) -> Time {
        match self.posts() {
            true => self.ends.posting.posts[flow as usize].ready,
            false => Time::START,
        }
    }

    /// The flow has its next message.
    #[inline]
    pub(crate) fn post_message(&mut self, flow_id: u32) {
        if !self.posts() {
            return;
        }
        let flow = &self.ends.flows[flow_id as usize];
        let post = &mut self.ends.posting.posts[flow_id as usize];
        let since = *post.since.get_or_insert(flow.created);
        let created = if matches!(flow.supply, Supply::Greedy { .. }) { since } else { flow.created };
        post.begin(created, self.ends.posting.cost);
    }

    /// A message of the flow is done at `at`, now or when its last byte has left.
    #[inline]
    pub(crate) fn message_done(&mut self, flow: u32, at: Time) {
        if self.posts() {
            self.ends.posting.posts[flow as usize].done(at, self.ends.posting.cost);
        }
    }

    /// The flow begins anew, or its record is that of another flow now: nothing is outstanding but the message at hand.
    pub(crate) fn repost(&mut self, flow: u32) {
        if !self.posts() {
            return;
        }
        let (posts, place) = (&mut self.ends.posting.posts, flow as usize);
        posts.resize(posts.len().max(place + 1), Post::new(self.ends.posting.depth));
        posts[place] = Post { since: Some(self.now), ..Post::new(self.ends.posting.depth) };
        if self.ends.flows[place].remaining > 0 {
            self.post_message(flow);
        }
    }
}

//! Posting at work: a message waits for a free place and for its posting cost.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_units::Time;
use congestree_wire::FlowId;

use crate::fabric::Fabric;
use crate::host::flow::Supply;
use crate::host::messages::posting::Post;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// When the first packet of a flow's message may start: the message has a place, and its posting cost has passed.
    #[inline]
    pub(crate) fn posted_at(&self, flow: FlowId) -> Time {
        match self.posts() {
            true => self.ends.posting.posts[flow].ready,
            false => Time::START,
        }
    }

    /// The flow has its next message.
    #[inline]
    pub(crate) fn post_message(&mut self, flow_id: FlowId) {
        if !self.posts() {
            return;
        }
        let flow = &self.ends.flows[flow_id];
        let post = &mut self.ends.posting.posts[flow_id];
        let since = *post.since.get_or_insert(flow.created);
        let created = if matches!(flow.supply, Supply::Greedy { .. }) { since } else { flow.created };
        post.begin(created, self.ends.posting.cost);
    }

    /// A message of the flow is done at `at`, now or when its last byte has left.
    #[inline]
    pub(crate) fn message_done(&mut self, flow: FlowId, at: Time) {
        if self.posts() {
            self.ends.posting.posts[flow].done(at, self.ends.posting.cost);
        }
    }

    /// The flow begins anew, or its record belongs to another flow now: only the current message is outstanding.
    pub(crate) fn repost(&mut self, flow: FlowId) {
        if !self.posts() {
            return;
        }
        let posts = &mut self.ends.posting.posts;
        posts.resize(posts.len().max(flow.index() + 1), Post::new(self.ends.posting.depth));
        posts[flow] = Post { since: Some(self.now), ..Post::new(self.ends.posting.depth) };
        if self.ends.flows[flow].remaining > 0 {
            self.post_message(flow);
        }
    }
}

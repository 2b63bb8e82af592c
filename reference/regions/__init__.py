"""RCM: a congested output notifies its neighbours, which limit the flows that cause the congestion by windows."""

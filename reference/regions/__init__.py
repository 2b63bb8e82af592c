"""RCM: an output that is congested tells its neighbours, who hold the flows that cause it to windows."""

"""Liu 2017: RCM, Regional Congestion Mitigation in Lossless Datacenter Networks (small experiments)."""

"""Our own test of `congestree tune`: is the best of a grid found in 100 evaluations, and do presets leave room?"""

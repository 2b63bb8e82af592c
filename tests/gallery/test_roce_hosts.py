"""Hosts as they are: bandwidth follows the laws of fixed cost, and DCQCN does what its figures show."""

from verdicts import QuickVersion


class TestRoceHosts(QuickVersion):
    paper = "roce-hosts"
    firm = ("fixed-cost-one", "fixed-cost-line")

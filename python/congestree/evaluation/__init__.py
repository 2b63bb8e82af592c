"""The evaluation of a run: measures, transfers, congestion trees and failures, from its tables."""

"""What came out of a run: measures, transfers, congestion trees and failures, from its tables."""

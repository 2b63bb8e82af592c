"""The gallery and the scenarios: links to the repository's folders; an installed package has copies here."""

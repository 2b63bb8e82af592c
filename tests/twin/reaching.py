"""Hooks in the twin: they see what its methods do while a test runs, and count which rules its scenarios reach."""


def around(patch, owner, name: str, hook) -> None:
    """Call a hook instead of a method: with the method itself, which the hook calls, and the arguments."""
    inner = getattr(owner, name)
    patch.setattr(owner, name, lambda *arguments, **more: hook(inner, *arguments, **more))


def watch(patch, reached, owner, name: str, what) -> None:
    """Count what each call of a method reaches: what `what(self, answer, *arguments)` says, unless that is None."""

    def hook(inner, own, *arguments, **more):
        answer = inner(own, *arguments, **more)
        if (told := what(own, answer, *arguments)) is not None:
            reached[told] += 1
        return answer

    around(patch, owner, name, hook)

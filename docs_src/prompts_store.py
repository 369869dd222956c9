"""Prompts from a folder: refreshed when told to, and swapped only for a set that is whole."""

from pathlib import Path

from dure import run_sync
from dure.prompts import FolderPrompts, KeptPrompts, PackagedPrompts, PromptKey, PromptStore

package = PackagedPrompts("dure_spec")
folder = FolderPrompts(Path("team-prompts"))
store = PromptStore(package, folder, kept=KeptPrompts(folder.name))

analyst = PromptKey("en", "ba")
text = package.texts()[analyst]


async def main() -> None:
    await folder.publish({analyst: text.replace(b"You are", b"You, dear colleague, are")})
    outcome = await store.load()
    print(outcome.status, [str(change.key) for change in outcome.changes])
    print(store.current.templates[analyst].render("system")[:24])

    await folder.publish({analyst: text.replace(b"System: $system", b"System: $product")})
    outcome = await store.refresh()
    print(outcome.status)
    for fault in outcome.faults:
        print(fault)
    print(store.current.templates[analyst].render("system")[:24])


run_sync(main())

"""What axe (https://github.com/dequelabs/axe-core) finds wrong with a page, shadow trees included."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from covan.project import ROOT

AXE = ROOT / "widget" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    """Each rule that is broken, with the elements that break it; of all rules, those of good practice too."""
    # Into the page's own world by the debugger: a script tag would fall to the page's security policy.
    page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]

"""The advisors' API of the Covan that runs, as the commands reach it."""

from __future__ import annotations

from console.advisors_api import AdvisorsApi, NotAllowedError
from covan.front_door import running_url
from covan.secrets import with_secrets
from rag.settings import Settings


def connected(settings: Settings) -> AdvisorsApi:
    """Return the API of the front door that runs on the state folder, or else at the port of the settings.

    Raises NotAllowedError when there is no token to show, SettingsError when the one that is kept cannot be read.
    """
    token = with_secrets(settings).advisor_token.get_secret_value()
    if not token:
        raise NotAllowedError(
            "There is no advisors' token: set COVAN_ADVISOR_TOKEN to what `covan channels` was started with; "
            "`covan up` makes one when there is none."
        )
    return AdvisorsApi(running_url(settings), token)

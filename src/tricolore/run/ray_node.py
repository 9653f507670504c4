"""The process of one Ray node: `python -m tricolore.run.ray_node` with the options of `ray start`.

It ends, and all of Ray with it, when its standard input is closed: so Ray never outlives the
process that started it, however that ends.
"""

from __future__ import annotations

import inspect
import os
import signal
import sys
import threading
import time
from typing import Any

_STOP_SECONDS = 20.0
"""How long Ray may take to end its processes."""


def main(options: list[str]) -> None:
    """Run a node until standard input is closed."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    # Nodes may join one another on the loopback device: see `ray_session`.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "1"
    from ray._private import services
    from ray.scripts import scripts

    ray_command: Any = scripts.main
    services.get_node_ip_address = lambda address=None: "127.0.0.1"
    services.start_raylet = _without_waiting(services.start_raylet)
    sys.argv = ["ray", "start", "--block", *options]
    ray_command()


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)  # Ray then ends its processes
    time.sleep(_STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)  # the kernel ends them with this process


def _without_waiting(start: Any) -> Any:
    """Let a node start without the agent of the dashboard, which we do not use.

    The main process of a node waits 15 seconds for the port of this agent and then aborts
    (https://github.com/ray-project/ray/issues/65983), which is too short on a busy machine. Here it
    finds at once what the agent writes when it has no port.
    """
    names = inspect.signature(start)

    def started(*args: Any, **settings: Any) -> Any:
        import ray._raylet as raylet

        given = names.bind(*args, **settings).arguments
        if hasattr(raylet, "persist_port") and {"session_dir", "node_id"} <= given.keys():
            for service in ("METRICS_AGENT", "METRICS_EXPORT", "DASHBOARD_AGENT_LISTEN"):
                name = getattr(raylet, f"{service}_PORT_NAME", None)
                if name is not None:
                    raylet.persist_port(given["session_dir"], given["node_id"], name, -1)
        return start(*args, **settings)

    return started


if __name__ == "__main__":
    main(sys.argv[1:])

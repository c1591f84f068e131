"""VH501 secret-in-log."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Rule
from valhalla_lint.core.tier import Tier

RULE = Rule(
    code="VH501",
    name="secret-in-log",
    message="{source} reaches {sink}",
    why=(
        "Logs, terminals and exception texts are copied, shipped and kept, and read by people who must not have the "
        "credential. A few characters of a token are often enough to find it again."
    ),
    remedy="log that one was there (`bool(token)`), its owner or its id, or wrap it in a type that prints stars",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: Severity.LOW, Tier.SCRIPT: Severity.LOW},
    cwe=(532,),
    flow=FlowQuery(frozenset({"log"})),
    bad=(
        Bad("""
            import logging


            def login(user, password):
                logging.debug("login of %s with %s", user, password)  # VH501
                print(f"key of {user}: {user.api_key}")  # VH501
        """),
        Bad("""
            import logging

            log = logging.getLogger(__name__)


            def forward(request):
                credentials = request.headers["Authorization"]
                shown = f"forwarding with {credentials}"
                log.info(shown)  # VH501
        """),
    ),
    good=(
        Good("""
            import logging

            log = logging.getLogger(__name__)


            def login(user, password, secret_name):
                log.info("login of %s, password given: %s", user, bool(password))
                log.info("the password has %d characters", len(password))
                log.info("reading secret %s", secret_name)
        """),
        Good("""
            import logging

            log = logging.getLogger(__name__)


            class Mailer:
                def __init__(self, host, password):
                    self.host = host
                    self.password = password

                def __repr__(self):
                    return f"<Mailer {self.host}>"


            def start(host, password, since_token, private_key_path):
                if not isinstance(password, str):
                    raise TypeError(f"no password: {password!r}")
                log.info("%r, mail since %s", Mailer(host, password), since_token)
                log.info("signed with the key in %s", private_key_path)
        """),
    ),
)

"""The words that tell what a number is about: those of the names around it."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TIME = _words(
    """time seconds second secs sec minutes minute mins min hours hour days day weeks ms millis milliseconds millisecond us
    micros microseconds microsecond ns nanos nanoseconds elapsed duration durations timeout deadline delay interval ttl age
    latency uptime timestamp timestamps perf counter monotonic dt expires expiry lifetime"""
)
BYTES = _words("bytes byte nbytes size sizes memory mem mb kb gb mib kib gib disk rss filesize bandwidth storage")
BITS = _words("bit bits nbits bitwidth bitlength byte bytes nbytes octet octets itemsize")
WIDTH = _words("bit bits nbits bitwidth")
STATUS = _words("status statuscode code codes http response resp httpcode")
NO_STATUS = _words("exit returncode return char country zip op ord unicode key lang language currency byte")
"""What has codes, too, that are no HTTP statuses."""
ERROR_NUMBER = _words("errno winerror")
VERSION = _words("version versions ver release major minor vernum hexversion abi")
CALENDAR = _words(
    """month months day days hour hours minute minutes second seconds weekday week year quarter isoweekday hh mm ss tm
    microsecond microseconds"""
)
SPAN = _words("timeout elapsed total max")
"""A time that has passed, whatever its unit: no place in a calendar."""
DIMENSION = _words("ndim ndims dim dims rank shape ndimension axis axes dimension dimensions")
STATE = _words(
    """verbosity verbose mode level kind choice protocol state op opcode bits bit nbits bitwidth type dtype order degree nu
    answer option stage phase flag version"""
)
TRIES = _words("retry retries retried attempt attempts tries try failures")
CHARACTER = _words("ord cp codepoint char ch character")
LAYER = _words(
    "dim dims hidden embed embedding inner channel channels mlp intermediate ffn features width heads head ch model"
)
LAYER_MAKER = _words("layer layers conv block stage linear norm pool dense mlp embed embedding upsample downsample head")
HOW_MANY = _words("num n len count")
COUNT = _words(
    """num n count counts length len frames frame tokens token steps step iterations iteration iter samples workers cpus
    cpu threads batch batches number total height width rows columns items pages lines retries index idx layers layer
    epoch epochs size capacity depth"""
)
LENGTH = _words("len length lengths size count")
MEASURE = _words(
    "elapsed duration timeout time age latency delay counter errors failures misses strikes hits retries attempts"
)
"""What is measured or counted while a program runs: even a small number that it is held against is a threshold."""
IMAGE = _words(
    """image images img imgs pixel pixels color colors colour rgb rgba red green blue gray grey frame frames video uint8
    mask canvas"""
)
COLOUR = _words("color colour rgb rgba hexcolor")
ANGLE = _words(
    "lat lon latitude longitude lng angle angles degree degrees deg rotation rotate heading azimuth theta hue"
)
GREEK = _words("alpha beta gamma sigma theta lambda omega phi rho mu pi")
SCHEDULE = _words("timestep timesteps t step steps sigma sigmas scale")
"""What a scheduler of a diffusion model counts in thousands: no unit of time."""
DIGEST = _words(
    """hex hexdigest digest sha256 sha1 md5 uuid uuid4 token sha hash hashed fingerprint checksum commit id rev revision
    hexsha signature"""
)
PORT = _words("port ports")
RATE = _words("lr rate dropout momentum decay warmup temperature epsilon eps beta gamma alpha weight std")
SIZE = _words("size bytes chunk chunksize buffer bufsize width height")
ERROR = _words("response error http status fail exception abort")
DRAWING = _words("ax axes axs plt pyplot fig figure draw canvas painter pdf cv2 turtle ctx cr screen pygame plot")
"""What a drawing is made with: geometry by position is its form."""

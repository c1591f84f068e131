"""The words that tell what a number is about: those of the names around it."""

from valhalla_lint.facts.words import word_set

TIME = word_set(
    """time seconds second secs sec minutes minute mins hours hour days day weeks ms millis milliseconds
    millisecond us micros microseconds microsecond ns nanos nanoseconds elapsed duration durations timeout deadline
    delay interval ttl age latency uptime timestamp timestamps perf counter monotonic dt expires expiry lifetime"""
)
BYTES = word_set("bytes byte nbytes size sizes memory mem mb kb gb mib kib gib disk rss filesize bandwidth storage")
BITS = word_set("bit bits nbits bitwidth bitlength bitlen bitcount numbytes byte bytes nbytes octet octets itemsize")
WIDTH = word_set("bit bits nbits bitwidth bpp depth bitdepth bitcount")
STATUS = word_set("status statuscode code codes http response resp httpcode")
NO_STATUS = word_set("exit returncode return char country zip op ord unicode key lang language currency byte")
"""What has codes, too, that are no HTTP statuses."""
ERROR_NUMBER = word_set("errno winerror")
VERSION = word_set("version versions ver release major minor vernum hexversion abi")
CALENDAR = word_set(
    """month months day days hour hours minute minutes second seconds weekday week year quarter isoweekday hh mm ss tm
    microsecond microseconds"""
)
SPAN = word_set("timeout elapsed total max")
"""A time that has passed, whatever its unit: no place in a calendar."""
DIMENSION = word_set("ndim ndims dim dims rank shape ndimension axis axes dimension dimensions")
STATE = word_set(
    """verbosity verbose mode level kind choice protocol state op opcode bits bit nbits bitwidth type dtype order
    degree nu answer option stage phase flag version"""
)
TRIES = word_set("retry retries retried attempt attempts tries try failures")
CHARACTER = word_set("ord cp codepoint char ch character")
CODE_POINT = CHARACTER | word_set("c u code point")
"""What holds a code point where it is compared with a number in hexadecimal."""
DIGITS = word_set("num number digit digits self value sum checksum")
LAYER = word_set(
    "dim dims hidden embed embedding inner channel channels mlp intermediate ffn features width heads head ch model"
)
PACKED = word_set("channel channels features head heads")
"""What a model is split into: by how many is a choice."""
LAYER_MAKER = word_set(
    "layer layers conv block stage linear norm pool dense mlp embed embedding upsample downsample head"
)
HOW_MANY = word_set("num n len count")
COUNT = word_set(
    """num n count counts length len frames frame tokens token steps step iterations iteration iter samples workers cpus
    cpu threads batch batches number total height width rows columns items pages lines retries index idx layers layer
    epoch epochs size capacity depth"""
)
LENGTH = word_set("len length lengths size count")
MEASURE = word_set(
    "elapsed duration timeout time age latency delay counter errors failures misses strikes hits retries attempts"
)
"""What is measured or counted while a program runs: even a small number that it is held against is a threshold."""
IMAGE = word_set(
    """image images img imgs pixel pixels color colors colour rgb rgba red green blue gray grey frame frames video uint8
    mask canvas palette px"""
)
PIXEL = word_set("pixel pixels rgb rgba palette colors colormap")
"""What has as many samples as a colour."""
COLOUR = word_set("color colour rgb rgba hexcolor")
ANGLE = word_set(
    "lat lon latitude longitude lng angle angles degree degrees deg rotation rotate heading azimuth theta hue"
)
MODE = word_set("mode st chmod umask perms permissions")
"""What holds the mode of a file: three bits for each of owner, group and others."""
GREEK = word_set("alpha beta gamma sigma theta lambda omega phi rho mu pi")
DIGEST = word_set(
    """hex hexdigest digest sha256 sha1 md5 uuid uuid4 token sha hash hashed fingerprint checksum commit id rev revision
    hexsha signature"""
)
PORT = word_set("port ports")
RATE = word_set("lr rate dropout momentum decay warmup temperature epsilon eps beta gamma alpha weight std")
SIZE = word_set("size bytes chunk chunksize buffer bufsize width height")
ERROR = word_set("response error http status fail exception abort")
DRAWING = word_set("ax axes axs plt pyplot fig figure draw canvas painter pdf cv2 turtle ctx cr screen pygame plot")
"""What a drawing is made with: geometry by position is its form."""

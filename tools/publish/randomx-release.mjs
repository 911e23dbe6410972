// The release of RandomX that addons contain.

export const RANDOMX_VERSION = '1.1.10';
/** Of its source: librandomx_1.1.10.orig.tar.gz of Debian. */
export const RANDOMX_SHA256 = '051cee65700a10adef84e7946416068bc805757683378a854a1b168ec18da783';

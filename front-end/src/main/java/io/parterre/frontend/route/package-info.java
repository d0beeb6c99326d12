/**
 * Where a request goes, and what to do when it did not get there. Pure: the map is a value, the
 * time left and the jitter are arguments; {@code client} does the sending. Invariant: a write that
 * may have happened is never answered as if it had not. Start with {@link
 * io.parterre.frontend.route.Router} and {@link io.parterre.frontend.route.RangeMap}.
 */
package io.parterre.frontend.route;

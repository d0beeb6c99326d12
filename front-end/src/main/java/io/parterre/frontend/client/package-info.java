/**
 * The front end's communication with partition servers and the partition manager: watches the map,
 * sends requests, retries them where {@code route} decides so, and provides the {@link
 * io.parterre.frontend.store.TableStore} that the protocols use. Parses and writes no HTTP.
 *
 * <p>Nothing blocks. A request is answered on the executor that was current when it was made, so
 * that a call stays on its connection's event loop. Invariants: every request ends, by its deadline
 * at the latest; a write keeps its sequence through all its attempts; the requests in flight to a
 * node are bounded. Start with {@link io.parterre.frontend.client.ClusterTableStore}.
 */
package io.parterre.frontend.client;

/**
 * The front end's side of the conversations with partition servers and partition manager: watches
 * the map, sends requests, sends them again where {@code route} says so, and makes of it all the
 * {@link io.parterre.frontend.store.TableStore} that the protocols see. Parses and writes no HTTP.
 *
 * <p>Nothing blocks. A request is answered on the executor that was current when it was made, so
 * that a call stays on its connection's event loop. Invariants: every request ends, by its deadline
 * at the latest; a write keeps its sequence through all its attempts; what is on its way to a node
 * is bounded. Start with {@link io.parterre.frontend.client.ClusterTableStore}.
 */
package io.parterre.frontend.client;

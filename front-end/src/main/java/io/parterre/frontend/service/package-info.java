/**
 * The table service between HTTP and the cluster: authenticates a call, reads it with the pure
 * functions of {@code table} and {@code auth}, asks the {@link
 * io.parterre.frontend.store.TableStore}, and formats the answer. Never blocks: runs on the thread
 * that calls it or completes a stage, and keeps no state between calls. Routing and retries are in
 * {@code client}, sockets in {@code http}. Start with {@link
 * io.parterre.frontend.service.TableService}.
 */
package io.parterre.frontend.service;

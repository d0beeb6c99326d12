/**
 * The table service between HTTP and the cluster: authenticates a call, reads it with the pure
 * functions of {@code table} and {@code auth}, asks the {@link
 * io.parterre.frontend.store.TableStore}, and formats the answer. Never blocks: runs on the thread
 * that calls it or completes a stage, keeps no state between calls. Routing and retries are the
 * business of {@code client}, sockets that of {@code http}. Start with {@link
 * io.parterre.frontend.service.TableService}.
 */
package io.parterre.frontend.service;

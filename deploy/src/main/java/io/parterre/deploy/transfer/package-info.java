/**
 * Export and import of tables through the protocol of clients, so to and from this service, an
 * emulator or Azure alike. Start with {@code Transfer}: parts of a source are read chunk by chunk
 * and handed to a sink, and a checkpoint records the progress of each part.
 *
 * <p>The transfer's own threads do the work and may block; the command's thread waits for them.
 */
package io.parterre.deploy.transfer;

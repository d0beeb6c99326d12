/**
 * Export and import of tables through the protocol that clients speak, so from and to this service,
 * an emulator or Azure alike. Start with {@code Transfer}: parts of a source are read chunk by
 * chunk and handed to a sink, and a checkpoint says how far each part is.
 *
 * <p>Threads of the transfer's own do the work and may block; the command's thread waits for them.
 */
package io.parterre.deploy.transfer;

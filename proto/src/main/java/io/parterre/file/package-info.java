/**
 * Files and folders that a crash or a power loss leaves whole. Blocks on the disk; keeps no state.
 * Start with {@link io.parterre.file.DurableFiles}.
 */
package io.parterre.file;

/**
 * Rows of the directory space, which list an account's tables and settings. Values and their stored
 * form; no I/O. Start with {@link io.parterre.directory.TableRecord}.
 */
package io.parterre.directory;

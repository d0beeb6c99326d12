/**
 * Rows of the directory space: what an account owns. Values and their stored form; no I/O. Start
 * with {@link io.parterre.directory.TableRecord}.
 */
package io.parterre.directory;

/**
 * Changes of a range by log entries, in the form that an archive keeps: the new rows, and changes
 * of the range itself. Pure. Start with {@code ChangeRecord}.
 */
package io.parterre.server.record;

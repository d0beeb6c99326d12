/**
 * What log entries have made of a range's rows, as an archive keeps it: rows as they are since, and
 * how the range has changed. Pure. Start with {@code ChangeRecord}.
 */
package io.parterre.server.record;

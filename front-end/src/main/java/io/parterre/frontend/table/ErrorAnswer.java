package io.parterre.frontend.table;

import java.util.Optional;

/**
 * The error of a refused operation of a batch.
 *
 * @param cached whether {@code Cache-Control} is sent: not with errors that are found before the
 *     data layer is asked, nor with a missing table, as recorded
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record ErrorAnswer(
        int status,
        boolean cached,
        Optional<Preference> preferenceApplied,
        String contentType,
        byte[] body) {}

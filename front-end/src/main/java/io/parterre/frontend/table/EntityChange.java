package io.parterre.frontend.table;

import io.parterre.frontend.store.EntityWrite;
import java.util.Optional;

/**
 * A write of one entity, read and checked.
 *
 * @param table as the address spells it
 * @param preference what {@code Prefer} asks for; a delete knows none
 * @param level of the entity that is sent back
 * @param ifMatch the condition, if there is one
 */
public record EntityChange(
        String table,
        EntityWrite write,
        Optional<Preference> preference,
        MetadataLevel level,
        Optional<IfMatch> ifMatch) {}

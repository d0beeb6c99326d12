package io.parterre.frontend.table;

import io.parterre.frontend.store.EntityWrite;
import java.util.Optional;

/**
 * A write of one entity, parsed and checked.
 *
 * @param table name as the address spells it
 * @param preference the preference in {@code Prefer}; always empty for a delete
 * @param level metadata level of the entity in the answer
 * @param ifMatch the condition, if there is one
 */
public record EntityChange(
        String table,
        EntityWrite write,
        Optional<Preference> preference,
        MetadataLevel level,
        Optional<IfMatch> ifMatch) {}

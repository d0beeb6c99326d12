package io.parterre.frontend.store;

import io.parterre.entity.EntityView;
import io.parterre.key.Key;

/** One entity as stored. The bytes must not be modified. */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record StoredEntity(Key key, byte[] value) {
    public EntityView view() {
        return EntityView.of(key, value);
    }
}

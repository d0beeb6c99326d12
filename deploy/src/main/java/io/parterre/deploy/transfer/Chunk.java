package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Entities that are transferred together.
 *
 * @param next position of the reader after them; empty: the part ends here
 */
record Chunk(List<ObjectNode> entities, Optional<String> next) {
    static final int ENTITIES_MAX = 1_000;

    Chunk {
        entities = List.copyOf(entities);
    }
}

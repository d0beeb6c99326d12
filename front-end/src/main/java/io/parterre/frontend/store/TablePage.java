package io.parterre.frontend.store;

import java.util.List;
import java.util.Optional;

/**
 * A page of table names, each in the case of its creation.
 *
 * @param nextLowerCase where the next page starts; empty if there is none
 */
public record TablePage(List<String> names, Optional<String> nextLowerCase) {
    public TablePage {
        names = List.copyOf(names);
    }
}

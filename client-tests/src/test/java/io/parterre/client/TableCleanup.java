package io.parterre.client;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Deletes the tables of all tests when the run ends: the server may be somebody's. Not class by
 * class, since classes run side by side. Found by JUnit in {@code META-INF/services}, so that no
 * class forgets it.
 */
public final class TableCleanup implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(TableCleanup.class, key -> (AutoCloseable) Sdk::deleteTables);
    }
}

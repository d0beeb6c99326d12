package io.parterre.client;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Deletes the tables of a class of tests after its last one: the server may be somebody's. Found by
 * JUnit in {@code META-INF/services}, so that no class forgets it.
 */
public final class TableCleanup implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) {
        Sdk.deleteTables();
    }
}

package io.parterre.deploy.config;

import io.parterre.frontend.service.TableServiceConfig;
import java.time.Duration;
import java.util.List;

/**
 * Keys of the table protocol that are an operator's to choose. Its other limits are the real
 * service's, and clients rely on them.
 */
public record TableSection(List<String> hostSuffixes, Duration timeoutMax, BearerSection bearer) {
    static final TableSection DEFAULT =
            new TableSection(
                    List.of(), TableServiceConfig.defaults().timeoutMax(), BearerSection.DEFAULT);

    public TableSection {
        hostSuffixes = List.copyOf(hostSuffixes);
        role(hostSuffixes, timeoutMax, bearer);
    }

    /** What the protocol's handler is told. */
    public TableServiceConfig role() {
        return role(hostSuffixes, timeoutMax, bearer);
    }

    private static TableServiceConfig role(
            List<String> hostSuffixes, Duration timeoutMax, BearerSection bearer) {
        TableServiceConfig service = TableServiceConfig.defaults();
        return new TableServiceConfig(
                hostSuffixes,
                service.entityLimits(),
                service.entityBodyBytesMax(),
                service.batchBytesMax(),
                service.batchOperationsMax(),
                service.pageEntitiesMax(),
                service.queryIntervalsMax(),
                timeoutMax,
                bearer.role());
    }
}

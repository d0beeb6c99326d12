package io.parterre.deploy.config;

import io.parterre.frontend.service.TableServiceConfig;
import java.time.Duration;
import java.util.List;

/**
 * Keys of the table protocol that are an operator's to choose. Its other limits are the real
 * service's, and clients rely on them.
 */
public record TableSection(List<String> hostSuffixes, Duration timeoutMax) {
    static final TableSection DEFAULT =
            new TableSection(List.of(), TableServiceConfig.defaults().timeoutMax());

    public TableSection {
        hostSuffixes = List.copyOf(hostSuffixes);
        role(hostSuffixes, timeoutMax);
    }

    /** What the protocol's handler is told. */
    public TableServiceConfig role() {
        return role(hostSuffixes, timeoutMax);
    }

    private static TableServiceConfig role(List<String> hostSuffixes, Duration timeoutMax) {
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
                service.authorizationUri());
    }
}

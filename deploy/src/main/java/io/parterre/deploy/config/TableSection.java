package io.parterre.deploy.config;

import io.parterre.frontend.service.TableLimits;
import io.parterre.frontend.service.TableServiceConfig;
import java.time.Duration;
import java.util.List;

/** Keys of the table protocol, see {@link TableServiceConfig}. */
public record TableSection(
        List<String> hostSuffixes, Duration timeoutMax, TableLimits limits, BearerSection bearer) {
    static final TableSection DEFAULT =
            new TableSection(
                    List.of(),
                    TableServiceConfig.defaults().timeoutMax(),
                    TableLimits.OF_THE_SERVICE,
                    BearerSection.DEFAULT);

    public TableSection {
        hostSuffixes = List.copyOf(hostSuffixes);
        new TableServiceConfig(hostSuffixes, limits, timeoutMax, bearer.role());
    }

    /** Returns the configuration of the protocol's handler. */
    public TableServiceConfig role() {
        return new TableServiceConfig(hostSuffixes, limits, timeoutMax, bearer.role());
    }
}

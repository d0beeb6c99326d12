package io.parterre.deploy.config;

import java.nio.file.Path;
import java.util.List;

/**
 * Everything that can be set, for all roles. The name of each component is a key; what it does
 * stands in {@code reference.yaml}.
 *
 * @param dataDir folder of everything that lasts
 * @param accounts accounts that shall exist; none: embedded mode has the development account
 * @param operatorToken what calls with data loss have to carry; none: they are refused
 */
public record ParterreConfig(
        Path dataDir,
        AccountList accounts,
        OperatorToken operatorToken,
        ClusterSection cluster,
        ManagerSection manager,
        ServerSection server,
        FrontEndSection frontEnd,
        AdminSection admin,
        LogSection log) {
    static final ParterreConfig DEFAULT =
            new ParterreConfig(
                    Path.of("parterre-data"),
                    new AccountList(List.of()),
                    OperatorToken.NONE,
                    ClusterSection.DEFAULT,
                    ManagerSection.DEFAULT,
                    ServerSection.DEFAULT,
                    FrontEndSection.DEFAULT,
                    AdminSection.DEFAULT,
                    LogSection.DEFAULT);
}

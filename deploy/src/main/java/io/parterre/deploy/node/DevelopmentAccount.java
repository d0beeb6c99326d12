package io.parterre.deploy.node;

import io.parterre.manager.AccountConfig;
import io.parterre.manager.map.AccountKey;
import java.util.Base64;
import java.util.List;

/**
 * The account that every tool knows without configuration. Its key is public, so it protects
 * nothing. Source: docs/protocol.md 1.1.
 */
public final class DevelopmentAccount {
    public static final String NAME = "devstoreaccount1";
    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** Where tools look for its tables. */
    public static final String TABLES = "http://127.0.0.1:10002/" + NAME;

    private DevelopmentAccount() {}

    static AccountConfig config() {
        return new AccountConfig(NAME, List.of(AccountKey.of(Base64.getDecoder().decode(KEY))));
    }
}

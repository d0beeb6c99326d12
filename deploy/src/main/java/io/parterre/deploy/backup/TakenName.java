package io.parterre.deploy.backup;

import io.parterre.key.AccountId;
import java.util.Locale;

/** A table's name, which is unique in its account. */
record TakenName(AccountId accountId, String lowerCase) {
    static TakenName of(AccountId accountId, String name) {
        return new TakenName(accountId, name.toLowerCase(Locale.ROOT));
    }
}

package io.parterre.manager.map;

import java.util.regex.Pattern;

/**
 * Name of an account, as it stands in host names and paths.
 *
 * <p>Rule: 3 to 24 lower-case letters and digits. Source: "Storage account overview", naming.
 */
public record AccountName(String value) implements Comparable<AccountName> {
    private static final Pattern FORM = Pattern.compile("[a-z0-9]{3,24}");

    public AccountName {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "account name: '"
                            + value
                            + "' (expected: 3 to 24 lower-case letters and digits)");
        }
    }

    @Override
    public int compareTo(AccountName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}

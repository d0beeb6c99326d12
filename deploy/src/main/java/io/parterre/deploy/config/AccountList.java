package io.parterre.deploy.config;

import io.parterre.manager.AccountConfig;
import io.parterre.manager.map.AccountKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Accounts with their secret keys. {@code toString} names the accounts and hides the keys.
 *
 * <p>As text: {@code name:key} or {@code name:key:key}, several separated by {@code ;}, keys in
 * Base64, the form that the public emulator accepts as well.
 */
public record AccountList(List<AccountConfig> accounts) {
    public AccountList {
        accounts = List.copyOf(accounts);
        long names = accounts.stream().map(AccountConfig::name).distinct().count();
        if (names != accounts.size()) {
            throw new IllegalArgumentException("a name twice (expected: each once)");
        }
    }

    static AccountList parse(String text) {
        List<AccountConfig> accounts = new ArrayList<>();
        for (String account : text.split(";")) {
            if (!account.isBlank()) {
                List<String> parts = Arrays.asList(account.strip().split(":"));
                accounts.add(account(parts.get(0), parts.subList(1, parts.size())));
            }
        }
        return new AccountList(accounts);
    }

    /**
     * Returns an account with these Base64 keys.
     *
     * @throws IllegalArgumentException with a message that names the account and never the key
     */
    static AccountConfig account(String name, List<String> keys) {
        try {
            return new AccountConfig(name, keys.stream().map(AccountList::key).toList());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + name + "': " + e.getMessage(), e);
        }
    }

    private static AccountKey key(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            // The cause would quote the key.
            throw new IllegalArgumentException("key (expected: Base64)");
        }
        return AccountKey.of(bytes);
    }

    @Override
    public String toString() {
        return accounts.stream()
                .map(account -> account.name() + ":***".repeat(account.keys().size()))
                .collect(Collectors.joining(";"));
    }
}

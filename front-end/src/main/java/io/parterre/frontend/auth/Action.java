package io.parterre.frontend.auth;

import java.util.List;

/**
 * What a request does, as far as credentials distinguish operations. Source: docs/protocol.md 8.5
 * and 8.6.
 */
@SuppressWarnings("ImmutableEnumChecker") // its lists never change
public enum Action {
    GET_PROPERTIES('s', List.of("r"), "-", false),
    GET_STATS('s', List.of("r"), "-", false),
    SET_PROPERTIES('s', List.of("w"), "-", true),
    QUERY_TABLES('c', List.of("l"), "-", false),
    CREATE_TABLE('c', List.of("c", "w"), "-", true),
    DELETE_TABLE('c', List.of("d"), "-", true),
    READ_ENTITIES('o', List.of("r"), "r", false),
    INSERT('o', List.of("a"), "a", true),
    UPDATE('o', List.of("u"), "u", true),
    UPSERT('o', List.of("au"), "au", true),
    DELETE_ENTITY('o', List.of("d"), "d", true),

    /** A batch as a whole; each of its operations is an action of its own. */
    BATCH('o', List.of(""), "", false),
    GET_ACL(' ', List.of(), "-", false),
    SET_ACL(' ', List.of(), "-", true),

    /**
     * Any other request. No credential permits it, so only an account's key gets to the answer that
     * it is not supported.
     */
    OTHER(' ', List.of(), "-", true);

    private final char resourceType;
    private final List<String> accountLetters;
    private final String serviceLetters;
    private final boolean write;

    Action(char resourceType, List<String> accountLetters, String serviceLetters, boolean write) {
        this.resourceType = resourceType;
        this.accountLetters = accountLetters;
        this.serviceLetters = serviceLetters;
        this.write = write;
    }

    /** Returns the letter that {@code srt} of an account signature must contain. */
    char resourceType() {
        return resourceType;
    }

    boolean isOfAccountSignatures() {
        return !accountLetters.isEmpty();
    }

    /** Returns whether {@code sp} of an account signature permits the action. */
    boolean isPermittedToAccount(String permissions) {
        return accountLetters.stream().anyMatch(letters -> hasAll(permissions, letters));
    }

    boolean isOfServiceSignatures() {
        return !serviceLetters.equals("-");
    }

    /** Returns whether {@code sp} of a service signature permits the action. */
    boolean isPermittedToService(String permissions) {
        return isOfServiceSignatures() && hasAll(permissions, serviceLetters);
    }

    private static boolean hasAll(String permissions, String letters) {
        return letters.chars().allMatch(letter -> permissions.indexOf(letter) >= 0);
    }

    /** Returns whether the action reads or changes the access policies of a table. */
    boolean isOfAcl() {
        return this == GET_ACL || this == SET_ACL;
    }

    boolean isWrite() {
        return write;
    }
}

package io.parterre.deploy.config;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The secret that calls must carry if they lose data, or read and restore rows. An operator who has
 * it may discard the data of a range. {@code toString} hides it. Immutable.
 */
public final class OperatorToken {
    /** No token: such calls are refused. */
    public static final OperatorToken NONE = new OperatorToken("");

    /** Fits in one header of a gRPC call, and is too long to be guessed. */
    private static final Pattern FORM = Pattern.compile("[!-~]{16,256}");

    private final String secret;

    private OperatorToken(String secret) {
        this.secret = secret;
    }

    /**
     * Returns a token.
     *
     * @param text empty for no token
     * @throws IllegalArgumentException if the text is invalid; the message does not repeat it
     */
    public static OperatorToken of(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "a secret (expected: 16 to 256 visible ASCII characters, no spaces)");
        }
        return new OperatorToken(text);
    }

    public boolean isNone() {
        return secret.isEmpty();
    }

    /** Returns the secret itself, to be sent or written and never to be shown. */
    public String secret() {
        return secret;
    }

    /**
     * Returns why a call that needs the token is refused; empty if it is not. Takes the same time
     * for every wrong secret of the right length.
     *
     * @param presented the token that the call carries
     */
    public Optional<String> refusal(Optional<String> presented) {
        if (isNone()) {
            return Optional.of(
                    "it needs the token of operators, and no operatorToken is set here (expected:"
                            + " the same secret in the settings of all managers and servers)");
        }
        if (presented.isEmpty()) {
            return Optional.of(
                    "it needs the token of operators and carries none (expected:"
                            + " --operator-token-file FILE or PARTERRE_OPERATOR_TOKEN)");
        }
        boolean same =
                MessageDigest.isEqual(
                        secret.getBytes(US_ASCII), presented.get().getBytes(US_ASCII));
        return same
                ? Optional.empty()
                : Optional.of(
                        "it needs the token of operators, and the one that it carries is not the"
                                + " one set here");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OperatorToken token
                && MessageDigest.isEqual(
                        secret.getBytes(US_ASCII), token.secret.getBytes(US_ASCII));
    }

    @Override
    public int hashCode() {
        return isNone() ? 0 : 1;
    }

    @Override
    public String toString() {
        return isNone() ? "" : "***";
    }
}

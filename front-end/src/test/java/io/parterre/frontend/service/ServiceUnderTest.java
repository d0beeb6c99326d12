package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.entity.Ticks;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.config.RecordCopy;
import io.parterre.key.AccountId;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A service with one account, {@code acct}, a clock that stands still, and a client that signs as
 * SDKs do.
 */
final class ServiceUnderTest {
    static final Instant NOW = Instant.parse("2021-05-26T15:48:24.2507202Z");
    static final String DATE = "Wed, 26 May 2021 15:48:24 GMT";
    static final String HOST = "127.0.0.1:10002";
    static final byte[] KEY = "first key of acct".getBytes(UTF_8);
    static final byte[] SECOND_KEY = "second key of acct".getBytes(UTF_8);

    /** Where calls come from, and how. */
    InetAddress remote = InetAddress.getLoopbackAddress();

    boolean secure;

    /** Who pays for what calls hold. */
    CallMemory memory = CallMemory.UNCOUNTED;

    /** What the clock says. */
    Instant now = NOW;

    /** How far accounts are trusted. */
    AccountsTrust trust = AccountsTrust.CURRENT;

    final FakeTableStore store = new FakeTableStore(Ticks.of(NOW));
    private final TableService service;
    private Iterator<String> ids = List.<String>of().iterator();

    ServiceUnderTest() {
        this(
                RecordCopy.with(
                        TableServiceConfig.defaults(),
                        Map.of("hostSuffixes", List.of("table.example.com"))));
    }

    ServiceUnderTest(TableServiceConfig config) {
        this(config, TokenKeys.NONE);
    }

    ServiceUnderTest(TableServiceConfig config, TokenKeys keys) {
        Map<String, Account> accounts =
                Map.of(
                        "acct",
                        new Account(new AccountId(1), "acct", List.of(KEY, SECOND_KEY), false),
                        "asleep",
                        new Account(new AccountId(2), "asleep", List.of(KEY), true));
        this.service =
                new TableService(
                        new AccountDirectory() {
                            @Override
                            public Optional<Account> find(String name) {
                                return Optional.ofNullable(accounts.get(name));
                            }

                            @Override
                            public AccountsTrust trust() {
                                return trust;
                            }
                        },
                        keys,
                        store,
                        () -> now,
                        config,
                        () -> ids.next());
    }

    /**
     * Sends a call as it is; the request id is {@code r}, boundaries end in {@code b}, {@code c}.
     */
    HttpAnswer send(String method, String target, HeaderList headers, byte[] body) {
        ids = List.of("r", "b", "c").iterator();
        HttpCall call = new HttpCall(method, target, headers, body, remote, secure, memory);
        return service.handle(call).toCompletableFuture().join();
    }

    /** Sends a call with the usual headers where it has none, signed unless it says otherwise. */
    HttpAnswer sendSigned(String method, String target, HeaderList given, byte[] body) {
        HeaderList headers = given;
        headers = withDefault(headers, "Host", HOST);
        headers = withDefault(headers, "x-ms-date", DATE);
        headers = withDefault(headers, "x-ms-version", "2019-02-02");
        if (!headers.has("Authorization") && !target.contains("sig=")) {
            String path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
            String text = headers.first("x-ms-date").orElse("") + "\n/acct" + path + comp(target);
            headers =
                    headers.with(
                            "Authorization",
                            "SharedKeyLite acct:" + sign(KEY, text.getBytes(ISO_8859_1)));
        }
        return send(method, target, withoutRemoved(headers), body);
    }

    private static String comp(String target) {
        for (String parameter : target.substring(target.indexOf('?') + 1).split("&")) {
            if (parameter.startsWith("comp=")) {
                return "?" + parameter;
            }
        }
        return "";
    }

    private static HeaderList withDefault(HeaderList headers, String name, String value) {
        return headers.has(name) ? headers : headers.with(name, value);
    }

    /** A value of {@code (none)} takes a header away. */
    private static HeaderList withoutRemoved(HeaderList headers) {
        List<HeaderList.Header> kept = new ArrayList<>(headers.headers());
        kept.removeIf(header -> header.value().equals("(none)"));
        return new HeaderList(kept);
    }

    /** Signs as clients do, which sign a text before they send it as UTF-8. */
    static String sign(byte[] key, String text) {
        return sign(key, text.getBytes(UTF_8));
    }

    private static String sign(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String text(byte[] body) {
        return new String(body, ISO_8859_1);
    }

    static List<String> lines(HeaderList headers) {
        String[] lines =
                headers.headers().stream()
                        .map(header -> header.name() + ": " + header.value())
                        .toArray(String[]::new);
        Arrays.sort(lines);
        return List.of(lines);
    }
}

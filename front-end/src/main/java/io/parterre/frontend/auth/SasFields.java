package io.parterre.frontend.auth;

import io.parterre.entity.Ticks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The fields that service and account signatures share. Created only from well-formed fields, so
 * that no text that a check does not understand can bypass the check. Immutable.
 *
 * <p>An empty field counts as absent, because the signature does not distinguish the two.
 */
final class SasFields {
    /** First version with {@code sip} and {@code spr}, and with account signatures. */
    static final String FIRST_WITH_ADDRESS = "2015-04-05";

    private static final List<String> NAMES =
            List.of(
                    "sv", "tn", "sp", "st", "se", "sip", "spr", "spk", "srk", "epk", "erk", "si",
                    "ss", "srt", "ses");

    private final SasRequest request;
    private final Optional<Instant> start;
    private final Optional<Instant> expiry;
    private final Optional<IpRange> addresses;

    private SasFields(
            SasRequest request,
            Optional<Instant> start,
            Optional<Instant> expiry,
            Optional<IpRange> addresses) {
        this.request = request;
        this.start = start;
        this.expiry = expiry;
        this.addresses = addresses;
    }

    /** Returns the fields; empty if one of them is malformed. */
    static Optional<SasFields> of(SasRequest request) {
        SasFields raw =
                new SasFields(request, Optional.empty(), Optional.empty(), Optional.empty());
        Optional<Instant> start = TokenTime.parse(raw.text("st"));
        Optional<Instant> expiry = TokenTime.parse(raw.text("se"));
        Optional<IpRange> addresses = IpRange.parse(raw.text("sip"));
        String protocols = raw.text("spr");
        boolean wellFormed =
                isDate(raw.text("sv"))
                        && NAMES.stream().allMatch(name -> isOneLine(raw.text(name)))
                        && raw.has("st") == start.isPresent()
                        && raw.has("se") == expiry.isPresent()
                        && (!raw.knowsAddresses()
                                || raw.has("sip") == addresses.isPresent()
                                        && List.of("", "https", "https,http").contains(protocols));
        return wellFormed
                ? Optional.of(new SasFields(request, start, expiry, addresses))
                : Optional.empty();
    }

    private static boolean isDate(String version) {
        try {
            return version.length() == 10 && LocalDate.parse(version).getYear() > 0;
        } catch (DateTimeException malformed) {
            return false;
        }
    }

    /**
     * The signed text has one field per line, so a line feed within a field could pass for the next
     * field.
     */
    private static boolean isOneLine(String text) {
        return text.chars().allMatch(unit -> unit >= ' ');
    }

    /** Returns the field as signed; empty string if it is absent. */
    String text(String name) {
        return request.parameters().apply(name).orElse("");
    }

    boolean has(String name) {
        return !text(name).isEmpty();
    }

    /** Returns whether the query contains the parameter, even with an empty value. */
    boolean names(String name) {
        return request.parameters().apply(name).isPresent();
    }

    String version() {
        return text("sv");
    }

    boolean isFrom(String version) {
        return version().compareTo(version) >= 0;
    }

    private boolean knowsAddresses() {
        return isFrom(FIRST_WITH_ADDRESS);
    }

    OptionalLong startTicks() {
        return ticks(start);
    }

    OptionalLong expiryTicks() {
        return ticks(expiry);
    }

    private static OptionalLong ticks(Optional<Instant> instant) {
        return instant.isPresent()
                ? OptionalLong.of(Ticks.of(instant.get()))
                : OptionalLong.empty();
    }

    /** Returns the signature. Clients that forget to encode it send its plus signs as spaces. */
    byte[] signature() {
        return Signature.decode(text("sig").replace(' ', '+'));
    }

    boolean permitsProtocol() {
        return !knowsAddresses() || request.secure() || !text("spr").equals("https");
    }

    boolean permitsAddress() {
        return !knowsAddresses()
                || addresses.map(range -> range.contains(remoteAddress())).orElse(true);
    }

    IpAddress remoteAddress() {
        return IpAddress.of(request.remoteAddress());
    }
}

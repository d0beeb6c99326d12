package io.parterre.frontend.auth;

import java.util.Optional;

/**
 * Addresses from which a token may be used: {@code sip}, one address or {@code first-last}. Source:
 * docs/protocol.md 8.5; IPv6 is our extension.
 *
 * @param last inclusive
 */
record IpRange(IpAddress first, IpAddress last) {
    /**
     * Parses a range; returns empty if the text is no range, or its ends are reversed or of
     * different families.
     */
    static Optional<IpRange> parse(String text) {
        int dash = text.indexOf('-');
        Optional<IpAddress> first = IpAddress.parse(dash < 0 ? text : text.substring(0, dash));
        Optional<IpAddress> last = dash < 0 ? first : IpAddress.parse(text.substring(dash + 1));
        return first.isPresent()
                        && last.isPresent()
                        && first.get().isSameFamilyAs(last.get())
                        && last.get().isFrom(first.get())
                ? Optional.of(new IpRange(first.get(), last.get()))
                : Optional.empty();
    }

    boolean contains(IpAddress address) {
        return address.isSameFamilyAs(first) && address.isFrom(first) && last.isFrom(address);
    }
}

package io.parterre.deploy.certs.plan;

/**
 * A change of one Secret. A step may run twice; after each the plan is made again of what there is
 * then.
 */
public sealed interface CertificateStep {
    <R> R match(Cases<R> cases);

    /** One for each kind. */
    interface Cases<R> {
        R makeIssuer(MakeIssuer step);

        R makeNextIssuer(MakeNextIssuer step);

        R promoteIssuer(PromoteIssuer step);

        R dropIssuer(DropIssuer step);

        R issue(Issue step);

        R trust(Trust step);
    }

    /** The first issuer. */
    record MakeIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.makeIssuer(this);
        }
    }

    /** An issuer that is trusted from now on, and signs nothing yet. */
    record MakeNextIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.makeNextIssuer(this);
        }
    }

    /** The next issuer signs from now on; the current one becomes the previous one. */
    record PromoteIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.promoteIssuer(this);
        }
    }

    /** The previous issuer is trusted no longer. */
    record DropIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.dropIssuer(this);
        }
    }

    /** Another certificate, signed by the current issuer. */
    record Issue(WantedCertificate wanted, Reason reason) implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.issue(this);
        }
    }

    /** The same certificate, and other issuers to trust. */
    record Trust(WantedCertificate wanted) implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.trust(this);
        }
    }

    /** Why a certificate is made. */
    enum Reason {
        MISSING("there was none"),
        UNREADABLE("what was there cannot be read"),
        OTHER_NAMES("it named others"),
        OTHER_ISSUER("the issuer has changed"),
        ENDS("a third of its life was left");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /** In a sentence. */
        @Override
        public String toString() {
            return words;
        }
    }
}
